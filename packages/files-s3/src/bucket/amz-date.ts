/** An instant in the form that signatures have, such as `20260101T120000Z`. */
export function amzDate(at: number): string {
  return new Date(at).toISOString().replace(/[:-]|\.\d{3}/g, '')
}
