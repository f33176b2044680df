/** A text of the program, and what stands in its place. */
export interface PlantedBug {
  name: string;
  file: string;
  from: string;
  to: string;
}
