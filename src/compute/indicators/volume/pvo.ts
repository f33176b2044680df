import { barsParam, indicator } from '../../columns/indicator-spec.ts';
import { percentageOscillator } from '../momentum/ppo.ts';

/**
 * Percentage Volume Oscillator: the PPO of the volume.
 *
 * @see Appel 2005, Technical Analysis: Power Tools for Active Investors.
 */
export const pvo = indicator({
  name: 'pvo',
  title: 'Percentage Volume Oscillator',
  params: [barsParam('fast', 12), barsParam('slow', 26), barsParam('signal', 9)],
  outputs: ['pvo', 'signal', 'histogram'],
  columns: ({ volume }, spans) => {
    const { line, ...others } = percentageOscillator(volume, spans);
    return { pvo: line, ...others };
  },
});
