/**
 * One instruction of a program: 64 bytes, written by `program.ts`.
 *
 * A column of a chunk is a tile: rows of `rowBytes`, one float64 per symbol. State is rows of the
 * same width.
 */

/** Bytes of a row: 32 for four symbols, 64 for eight. */
export let rowBytes: usize = 64;

let stateAt: usize = 0;

/** Sets where the state begins, and the width of a row. */
export function setTile(state: usize, bytes: usize): void {
  stateAt = state;
  rowBytes = bytes;
}

@inline export function opcode(at: usize): i32 { return load<i32>(at); }
@inline export function out(at: usize): usize { return <usize>load<i32>(at, 4); }
@inline export function secondOut(at: usize): usize { return <usize>load<i32>(at, 8); }
@inline export function inputA(at: usize): usize { return <usize>load<i32>(at, 12); }
@inline export function inputB(at: usize): usize { return <usize>load<i32>(at, 16); }
@inline export function inputC(at: usize): usize { return <usize>load<i32>(at, 20); }
@inline export function state(at: usize): usize { return stateAt + <usize>load<i32>(at, 24) * rowBytes; }
/** Row of the series from which the inputs have values. */
@inline export function first(at: usize): i32 { return load<i32>(at, 28); }
/** Length of the window, in bars. */
@inline export function period(at: usize): i32 { return load<i32>(at, 32); }
@inline export function factorA(at: usize): f64 { return load<f64>(at, 40); }
@inline export function factorB(at: usize): f64 { return load<f64>(at, 48); }
