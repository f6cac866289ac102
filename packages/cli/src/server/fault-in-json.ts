const token = (pattern: string) => new RegExp(`(?:${pattern})[ \\t\\r\\n]*`, 'y')
const nothing = token('')
const text = token(String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`)
const plain = token(String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])`)
const [openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [...'{}[],:'].map((mark) =>
  token(`\\${mark}`),
) as [RegExp, RegExp, RegExp, RegExp, RegExp, RegExp]

/**
 * Finds where a file stops being JSON. `JSON.parse` itself names no place for most faults.
 * @returns the line, the column and what is wrong there; `undefined` if the file is JSON
 * @example faultInJson('{ "port": 3, }') // 'line 1, column 14: a name in double quotes is expected, not }'
 */
export function faultInJson(file: string): string | undefined {
  let at = 0

  /** Steps over a token and the space behind it. @returns whether it was there */
  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at
    const isThere = pattern.test(file)
    if (isThere) at = pattern.lastIndex
    return isThere
  }

  function expected(what: string): string {
    const [wrongToken = 'the end of the file'] = /^(?:\w+|\/[/*]|.)/su.exec(file.slice(at)) ?? []
    return `${what} is expected, not ${wrongToken}`
  }

  function faultInText(what: string): string {
    return file[at] === '"'
      ? String.raw`this text has no end on its line, or a \ that must be written as \\`
      : expected(what)
  }

  function faultInValue(): string | undefined {
    if (take(openBrace)) return faultInItems(faultInMember, closeBrace, '}')
    if (take(openBracket)) return faultInItems(faultInValue, closeBracket, ']')
    return take(text) || take(plain) ? undefined : faultInText('a value')
  }

  function faultInMember(): string | undefined {
    if (!take(text)) return faultInText('a name in double quotes')
    return take(colon) ? faultInValue() : expected('a colon')
  }

  function faultInItems(
    faultInItem: () => string | undefined,
    end: RegExp,
    mark: string,
  ): string | undefined {
    if (take(end)) return undefined
    do {
      const fault = faultInItem()
      if (fault !== undefined) return fault
    } while (take(comma))
    return take(end) ? undefined : expected(`a comma or ${mark}`)
  }

  take(nothing)
  const fault = faultInValue() ?? (at < file.length ? expected('the end of the file') : undefined)
  if (fault === undefined) return undefined
  const before = file.slice(0, at)
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}: ${fault}`
}
