/*
 * Sines and powers with exactly the same bits on every engine. ECMAScript leaves the precision of Math.sin, Math.exp,
 * Math.pow and similar functions to the engine (ECMA-262, 21.3.2). V8 and JavaScriptCore differ in the last digit, which
 * would give files with different bytes. Only + - * / and Math.sqrt, floor, abs, min, max, round and imul are exact, so all
 * drawing code uses only those.
 */

export const tau = 6.283185307179586

/** The sine, with an error of about 1e-9. */
export function sin(angle: number): number {
  const turns = angle / tau
  let x = (turns - Math.floor(turns + 0.5)) * tau
  if (x > tau / 4) x = tau / 2 - x
  else if (x < -tau / 4) x = -tau / 2 - x
  const s = x * x
  return (
    x * (1 - (s / 6) * (1 - (s / 20) * (1 - (s / 42) * (1 - (s / 72) * (1 - (s / 110) * (1 - s / 156))))))
  )
}

export function cos(angle: number): number {
  return sin(angle + tau / 4)
}

/** e to the power of x, with a relative error of about 1e-7. */
export function exp(x: number): number {
  const halvings = 10
  const small = x / 1024
  let result = 1 + small * (1 + (small / 2) * (1 + (small / 3) * (1 + small / 4)))
  for (let i = 0; i < halvings; i++) result *= result
  return result
}

/** The natural logarithm of a positive number. */
export function log(x: number): number {
  let exponent = 0
  let mantissa = x
  while (mantissa > 1.5) {
    mantissa /= 2
    exponent++
  }
  while (mantissa < 0.75) {
    mantissa *= 2
    exponent--
  }
  const ratio = (mantissa - 1) / (mantissa + 1)
  const s = ratio * ratio
  const series = 1 + s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + s / 11))))
  return 2 * ratio * series + exponent * Math.LN2
}

/** A non-negative number to any power. */
export function power(value: number, exponent: number): number {
  return value <= 0 ? 0 : exp(log(value) * exponent)
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share
}

/** 0 up to `low`, 1 from `high` on, and an S-shaped curve between them. */
export function smoothstep(low: number, high: number, value: number): number {
  const x = clamp((value - low) / (high - low))
  return x * x * (3 - 2 * x)
}
