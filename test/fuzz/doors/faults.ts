import { errorCodes } from '@genmount/core'

/** The codes with which the service may answer 503. */
const codesOf503 = Object.entries(errorCodes).flatMap(([code, { status }]) => (status === 503 ? [code] : []))
const ownCode = new RegExp(`"code":"(?:${codesOf503.join('|')})"`)
/** What the servers of runtimes answer by themselves to an HTTP version that they do not speak: RFC 9110, section 15.6.6. */
const ofRuntimes = /^HTTP\/1\.1 505 HTTP Version Not Supported\r/
const controls = /\p{Cc}/u
const controlsButNewlines = /(?!\n)\p{Cc}/u

/** Where an answer begins, in the bytes of a connection. */
const beginnings = /(?=HTTP\/1\.1 \d{3} )/

/**
 * What is wrong with the answers of a connection, as bytes of HTTP: a status of 500 or more that is no documented 503, a
 * secret, or a stack.
 * @returns `undefined` when nothing is
 */
export function faultOfAnswers(answers: string, secrets: readonly string[]): string | undefined {
  const status = answers.split(beginnings).flatMap(unknownFailure)[0]
  if (status !== undefined) return `status ${status}`
  if (secrets.some((secret) => answers.includes(secret))) return 'a secret'
  return /\bat .+\.[tj]s:\d+/.test(answers) ? 'a stack' : undefined
}

/** The status of an answer that is an undocumented failure. */
function unknownFailure(answer: string): readonly string[] {
  const status = /^HTTP\/1\.1 (5\d\d)/.exec(answer)?.[1]
  const isKnown503 = status === '503' && ownCode.test(answer) && /^retry-after: \d/im.test(answer)
  return status === undefined || isKnown503 || ofRuntimes.test(answer) ? [] : [status]
}

/**
 * What is wrong with a line of the log: a secret, or a control character, by which a client could make a second line or
 * steer a terminal. The texts of a line of JSON are read as the log got them. Only a stack has several lines.
 * @returns `undefined` when nothing is
 */
export function faultOfLogLine(line: string, secrets: readonly string[]): string | undefined {
  const secret = secrets.find((each) => line.includes(each))
  if (secret !== undefined) return `a secret: ${secret}`
  const texts = textsOf(line)
  if (texts === undefined) return controlsButNewlines.test(line) ? 'a control character' : undefined
  const wrong = texts.find(([name, text]) => (name === 'stack' ? controlsButNewlines : controls).test(text))
  return wrong && `a control character in ${wrong[0]}`
}

/** The texts in a line of JSON by the names of their fields. `undefined` for another line. */
function textsOf(line: string): readonly (readonly [name: string, text: string])[] | undefined {
  const texts: [string, string][] = []
  try {
    JSON.parse(line, (name, value: unknown) => void (typeof value === 'string' && texts.push([name, value])))
    return texts
  } catch {
    return undefined
  }
}
