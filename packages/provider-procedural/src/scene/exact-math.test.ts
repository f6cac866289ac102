import { expect, test } from 'vitest'
import { cos, exp, log, power, sin, smoothstep } from './exact-math.ts'

test('sin and cos are within 1e-8 of those of Math', () => {
  for (let angle = -40; angle <= 40; angle += 0.0137) {
    expect(Math.abs(sin(angle) - Math.sin(angle))).toBeLessThan(1e-8)
    expect(Math.abs(cos(angle) - Math.cos(angle))).toBeLessThan(1e-8)
  }
})

test('exp, log and power are within 1e-6 of those of Math', () => {
  for (let x = -20; x <= 20; x += 0.173) expect(exp(x) / Math.exp(x)).toBeCloseTo(1, 6)
  for (let x = 0.0001; x <= 1000; x *= 1.37) expect(log(x)).toBeCloseTo(Math.log(x), 8)
  for (let x = 0.01; x <= 4; x += 0.07) expect(power(x, 2.4)).toBeCloseTo(x ** 2.4, 6)
  expect(power(0, 2.4)).toBe(0)
})

test('smoothstep goes from 0 to 1 between its bounds, and from 1 to 0 when they are given the other way round', () => {
  expect([0, 1, 1.5, 2, 3].map((x) => smoothstep(1, 2, x))).toEqual([0, 0, 0.5, 1, 1])
  expect([0, 1, 1.5, 2, 3].map((x) => smoothstep(2, 1, x))).toEqual([1, 1, 0.5, 0, 0])
})
