/**
 * Characters that control a terminal, end a line for some readers, or change the direction of writing, which can make a
 * line look like another.
 */
const controls = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]+/gu

/** A text of a server as a part of one line: a space stands for the characters that control the terminal. */
export function plainText(text: string): string {
  return text.replaceAll(controls, ' ')
}

/**
 * The text with the characters that control the terminal, but for line ends, as escapes such as `\u009b`, which mean the
 * same in the strings of JSON and of source code.
 */
export function escapedText(text: string): string {
  return text.replaceAll(controls, (run) => run.replaceAll(/[^\n]/g, escaped))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
