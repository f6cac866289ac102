/** The names in some lines, which spaces separate. */
export function namesIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}
