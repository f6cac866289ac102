import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'

/** How long the shell offers the models of the last answer, in milliseconds. */
const keptMs = 60_000
/** How long the shell waits for the server, in milliseconds. */
const patienceMs = 2000
/**
 * An id that means itself in every shell. The others are not offered, because a server could name a model so that a shell
 * runs a command while the user completes a word.
 */
const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_./:@+,-]*$/u

/**
 * Asks the server for its models, so that a shell can complete a command line. The answer is kept in the cache folder
 * for one minute.
 * @param words the words after the name of the program. The user is still typing the last word
 * @returns an empty list if the last word is not the place for a model id, or if the server does not answer within 2 s
 */
export async function modelIds(session: Session, words: readonly string[]): Promise<readonly string[]> {
  if (!wantsModel(words)) return []
  const options = { url: valueOf('--url', words), keyFile: valueOf('--key-file', words) }
  try {
    const client = connect(session, options as ConnectionOptions, 0)
    const ids = await cached(cacheFile(session, options), async () => {
      const models = await client.models({ signal: AbortSignal.timeout(patienceMs) })
      return models.map(({ id }) => id)
    })
    return ids.filter((id) => plainWord.test(id))
  } catch {
    return []
  }
}

function wantsModel(words: readonly string[]): boolean {
  const [typed = '', before] = words.toReversed()
  if (before === '--model' || before === '-m' || typed.startsWith('--model=')) return true
  return commandIn(words.slice(0, -1)) === 'models' && !typed.startsWith('-')
}

/** The first word that is neither an option nor the value of one in front of the command. */
function commandIn(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && !['--url', '--key-file'].includes(words[at - 1]!))
}

function valueOf(option: string, words: readonly string[]): string | undefined {
  const joined = words.find((word) => word.startsWith(`${option}=`))
  return joined?.slice(option.length + 1) ?? words[words.indexOf(option) + 1 || words.length]
}

/** Each pair of server and key has a file of its own. The name of the file does not reveal the key. */
function cacheFile({ env, url }: Session, options: Readonly<Record<string, string | undefined>>): string {
  const folder = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const whose = JSON.stringify([url, options['keyFile'], env['GENMOUNT_API_KEY']])
  const name = createHash('sha256').update(whose).digest('hex').slice(0, 32)
  return join(folder, 'genmount', `models-${name}.json`)
}

async function cached(file: string, ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    const { mtimeMs } = await stat(file)
    if (Math.abs(Date.now() - mtimeMs) < keptMs) return JSON.parse(await readFile(file, 'utf8')) as string[]
  } catch {
    // The file does not exist yet, or is not JSON.
  }
  const ids = await ask()
  try {
    const folder = dirname(file)
    // Without `recursive`, with which Node 24 never ends on a file system that takes no new folders, such as /proc.
    for (const missing of [dirname(folder), folder]) await mkdir(missing, { mode: 0o700 }).catch(() => {})
    await writeFile(file, JSON.stringify(ids), { mode: 0o600 })
  } catch {
    // If the answer can't be stored, each completion asks the server.
  }
  return ids
}
