/** Colours of the chart, which draws on canvas and can't use the variables of the style sheet. */

export interface Palette {
  text: string;
  grid: string;
  border: string;
  up: string;
  down: string;
  upVolume: string;
  downVolume: string;
  crosshair: string;
  label: string;
  /** Lines of indicators, in the order in which they are added. */
  lines: readonly string[];
}

const LIGHT: Palette = {
  text: '#4a5560',
  grid: '#eef1f4',
  border: '#d5dbe1',
  up: '#0a8f79',
  down: '#d6394a',
  upVolume: 'rgba(10, 143, 121, .28)',
  downVolume: 'rgba(214, 57, 74, .28)',
  crosshair: '#7b8794',
  label: '#2b3640',
  lines: ['#2166d1', '#c2590a', '#8a3fc0', '#0b7d9c', '#b5277f', '#6b7a12', '#a4371e', '#4451b8'],
};

const DARK: Palette = {
  text: '#a3afbb',
  grid: '#1e252c',
  border: '#313b45',
  up: '#2bb6a0',
  down: '#f0616d',
  upVolume: 'rgba(43, 182, 160, .3)',
  downVolume: 'rgba(240, 97, 109, .3)',
  crosshair: '#7d8a97',
  label: '#3a4651',
  lines: ['#5b9dff', '#f39a4a', '#c58af0', '#43bcd9', '#f07fc0', '#b5c653', '#ef8a73', '#98a3ff'],
};

export const darkPreference = matchMedia('(prefers-color-scheme: dark)');

export function currentPalette(): Palette {
  return darkPreference.matches ? DARK : LIGHT;
}
