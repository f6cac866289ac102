import { clamp, cos as cosine, mix, sin as sine, tau } from './exact-math.ts'

/** Red, green and blue from 0 to 1, gamma-encoded as on a screen. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Parses a colour of the form #rrggbb. */
export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

export function blend(from: Rgb, to: Rgb, share: number): Rgb {
  return [mix(from[0], to[0], share), mix(from[1], to[1], share), mix(from[2], to[2], share)]
}

export function scaled(colour: Rgb, factor: number): Rgb {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor]
}

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The colour at `place`, from 0 to 1, of a gradient with evenly spaced stops. */
export function gradient(stops: readonly Rgb[], place: number): Rgb {
  const at = clamp(place) * (stops.length - 1)
  const index = Math.min(Math.floor(at), stops.length - 2)
  const from = stops[index] ?? stops[0] ?? [0, 0, 0]
  const share = at - index
  return blend(from, stops[index + 1] ?? from, share * share * (3 - 2 * share))
}

/** Blends a colour with the hue of `tint`. The lightness of the colour stays. */
export function tinted(colour: Rgb, tint: Rgb, share: number): Rgb {
  const target = luminance(colour)
  const own = Math.max(luminance(tint), 0.02)
  const factor = target / own
  // A tint that cannot become as light as the colour is mixed with white.
  const full = scaled(tint, factor)
  const over = Math.max(...full, 1) - 1
  const fitted: Rgb = over > 0 ? blend(scaled(full, 1 / (1 + over)), [1, 1, 1], clamp(over * 0.5)) : full
  return blend(colour, fitted, share)
}

/** Rotates the hue by `turns` of the colour circle. The lightness stays nearly the same. */
export function turned([red, green, blue]: Rgb, turns: number): Rgb {
  const cos = cosine(turns * tau)
  const sin = sine(turns * tau)
  // The hue rotation matrix of SVG 1.1, feColorMatrix hueRotate.
  return [
    clamp(
      red * (0.213 + cos * 0.787 - sin * 0.213) +
        green * (0.715 - cos * 0.715 - sin * 0.715) +
        blue * (0.072 - cos * 0.072 + sin * 0.928),
    ),
    clamp(
      red * (0.213 - cos * 0.213 + sin * 0.143) +
        green * (0.715 + cos * 0.285 + sin * 0.14) +
        blue * (0.072 - cos * 0.072 - sin * 0.283),
    ),
    clamp(
      red * (0.213 - cos * 0.213 - sin * 0.787) +
        green * (0.715 - cos * 0.715 + sin * 0.715) +
        blue * (0.072 + cos * 0.928 + sin * 0.072),
    ),
  ]
}
