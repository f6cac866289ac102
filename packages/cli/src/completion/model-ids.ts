import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'

/** For so many milliseconds the shell offers what the server has said before. */
const keptMs = 60_000
/** For so many milliseconds the shell waits for the server. */
const patienceMs = 2000

/**
 * Asks the server for its models, for a shell that completes a command line. The answer is kept for a minute in the folder
 * for caches.
 * @param words the command line behind the name of the program, of which the last word is being typed
 * @returns none where the line wants no model, or no server tells of its models in two seconds
 */
export async function modelIds(session: Session, words: readonly string[]): Promise<readonly string[]> {
  if (!wantsModel(words)) return []
  const options = { url: valueOf('--url', words), keyFile: valueOf('--key-file', words) }
  try {
    const client = connect(session, options as ConnectionOptions, 0)
    return await kept(cacheFile(session, options), async () => {
      const models = await client.models({ signal: AbortSignal.timeout(patienceMs) })
      return models.map(({ id }) => id)
    })
  } catch {
    return []
  }
}

function wantsModel(words: readonly string[]): boolean {
  const [typed = '', before] = words.toReversed()
  if (before === '--model' || before === '-m' || typed.startsWith('--model=')) return true
  return words[0] === 'models' && !typed.startsWith('-')
}

function valueOf(option: string, words: readonly string[]): string | undefined {
  const joined = words.find((word) => word.startsWith(`${option}=`))
  return joined?.slice(option.length + 1) ?? words[words.indexOf(option) + 1 || words.length]
}

/** Each server and key has a file of its own. What opens the server is not in its name. */
function cacheFile({ env, url }: Session, options: Readonly<Record<string, string | undefined>>): string {
  const folder = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const whose = JSON.stringify([url, options['keyFile'], env['GENMOUNT_API_KEY']])
  const name = createHash('sha256').update(whose).digest('hex').slice(0, 32)
  return join(folder, 'genmount', `models-${name}.json`)
}

async function kept(file: string, ask: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    const { mtimeMs } = await stat(file)
    if (Math.abs(Date.now() - mtimeMs) < keptMs) return JSON.parse(await readFile(file, 'utf8')) as string[]
  } catch {
    // It is not there yet, or is no JSON.
  }
  const ids = await ask()
  try {
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(ids), { mode: 0o600 })
  } catch {
    // Without a place to keep it, the server is asked each time.
  }
  return ids
}
