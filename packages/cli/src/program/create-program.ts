import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { addCompletion } from '../completion/add-completion.ts'
import { passOptionsOn } from './pass-options-on.ts'
import type { Session } from './session.ts'

/**
 * Declares the commands. The code of a command is loaded when the command runs.
 * @param onStart called before a command that Ctrl-C ends through `session.signal`
 * @param modelIds the models that the shell completion offers
 */
export function createProgram(session: Session, onStart: () => void, modelIds: readonly string[]): Command {
  const program = new Command('genmount')
    .description(
      'Make pictures and films through a genmount server, and list, read, cancel or delete its jobs.',
    )
    .version(version())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void session.stdout.stream.write(text),
      writeErr: (text) => void session.stderr.stream.write(text),
    })
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see what is accepted. Most options follow the command.')
    .addHelpText(
      'after',
      '\nThe key comes from GENMOUNT_API_KEY or --key-file, the address of the server from GENMOUNT_URL or --url.\nExit codes: 0 done, 1 other fault, 2 wrong command line, 3 server unreachable, 4 key refused,\n            5 request refused, 6 job failed, 130 stopped by Ctrl-C.',
    )
  const output = (command: Command) =>
    command
      .option('-o, --output <file>', 'where to put the output; several are numbered; "-" is standard output')
      .option('--force', 'replace files that exist')
      .option('--no-show', 'do not show the picture in the terminal')
  const connecting = (command: Command) =>
    command
      .option(
        '--url <address>',
        'the address of the server, in front of /v1 (GENMOUNT_URL, or http://127.0.0.1:3000)',
      )
      .option('--key-file <file>', 'the file that has the API key (or GENMOUNT_API_KEY has the key)')
  const connected = (words: string, description: string) =>
    connecting(program.command(words).description(description))
  const withJson = (command: Command) => command.option('--json', 'results and errors as JSON')
  const command = (words: string, description: string) => withJson(connected(words, description))
  passOptionsOn(withJson(connecting(program)))
  const action =
    <Arguments extends unknown[]>(
      load: () => Promise<(session: Session, ...arguments_: Arguments) => Promise<void>>,
    ) =>
    async (...arguments_: Arguments) => {
      onStart()
      session.isJson = arguments_.some((value) => (value as { json?: boolean } | undefined)?.json === true)
      await (
        await load()
      )(session, ...arguments_)
    }

  output(command('generate', 'make pictures or a film, and wait for them'))
    .requiredOption('-m, --model <id>', 'the model; "genmount models" lists them')
    .option('-p, --prompt <text>', 'what to make')
    .option('-f, --field <name=value>', 'any field of the model; may be given several times', collect)
    .option(
      '--image <file>',
      'a picture as input: a file, a URL, or "-"; may be given several times',
      collect,
    )
    .option('--mask <file>', 'where to change the picture')
    .option('--video <file>', 'a film as input')
    .option('--audio <file>', 'a sound as input')
    .option('--no-wait', 'print the id of the job, and do not wait for it')
    .option('-q, --quiet', 'no progress')
    .option('--dry-run', 'only say what it would cost, and whether the server would accept it')
    .action(action(async () => (await import('../commands/generate.ts')).generate))
  command('jobs', 'list jobs, the newest first')
    .option('-n, --limit <count>', 'how many at most', wholeNumber, 20)
    .addOption(new Option('--status <status>', 'only these').choices(['processing', 'completed', 'failed']))
    .option('--model <id>', 'only those of this model')
    .action(action(async () => (await import('../commands/jobs.ts')).jobs))
  output(command('get <job>', 'show a job, or get its outputs with -o'))
    .option('--wait', 'wait until it has finished')
    .option('-n <number>', 'only this output, from 0', wholeNumber)
    .option('-q, --quiet', 'no progress')
    .action(action(async () => (await import('../commands/get.ts')).get))
  command('cancel <jobs...>', 'ask to end jobs').action(
    action(async () => (await import('../commands/cancel.ts')).cancel),
  )
  command('delete <jobs...>', 'delete finished jobs and their files').action(
    action(async () => (await import('../commands/delete.ts')).deleteJobs),
  )
  command('models [id]', 'list the models, or the fields of one').action(
    action(async () => (await import('../commands/models.ts')).models),
  )
  command('usage', 'show what your jobs have cost, also those that are deleted')
    .option('--from <time>', 'jobs that ended from then on: a UTC day or a time (default: this month)')
    .option('--to <time>', 'jobs that ended before: a UTC day or a time (default: now)')
    .option('--by <names>', 'a row for each of these: day, model, key, with commas between them', groupings)
    .option('--csv', 'the rows as CSV')
    .action(action(async () => (await import('../commands/usage.ts')).usage))
  command('types', 'write the types of the models for createClient<Models>()')
    .option('-o, --output <file>', 'the .d.ts file to write or replace (default: standard output)')
    .action(action(async () => (await import('../commands/types.ts')).types))
  withJson(program.command('inspect <file>'))
    .description('show what a picture or film says about how it was made: by AI, by which model')
    .action(action(async () => (await import('../commands/inspect.ts')).inspect))
  connected('mcp', 'serve the models as tools for agents, over standard input and output (MCP)')
    .option(
      '--max-cost <usd>',
      'how many US dollars agents may spend with the key in 24 hours (GENMOUNT_MAX_COST_USD)',
    )
    .action(async (options) => (await import('../commands/mcp.ts')).mcp(session, options))
  program
    .command('serve')
    .description('run a server that draws offline and uses the vendors whose keys are set')
    .option('-c, --config <file>', 'a configuration file in JSON')
    .option('--port <number>', 'the port (PORT, or 3000)', wholeNumber)
    .option('--host <address>', 'the address to listen on (HOST, or 127.0.0.1)')
    .option('--data-dir <folder>', 'where to keep jobs and files (DATA_DIR, or in memory)')
    .action(async (options) => {
      const { serveCommand } = await import('../commands/serve.ts')
      await serveCommand(session, options)
    })
  withJson(program.command('reconcile'))
    .description(
      'ask the vendors of the server for tasks that no job knows, after its jobs went back to an older state',
    )
    .option('-c, --config <file>', 'the configuration file of the server')
    .option('--data-dir <folder>', 'where the server keeps its jobs (DATA_DIR)')
    .option(
      '--since <time>',
      'only tasks from then on, such as 2026-11-25T14:00Z (default: 24 hours ago)',
      instant,
    )
    .action(action(async () => (await import('../commands/reconcile.ts')).reconcile))
  addCompletion(program, modelIds)
  return program
}

function collect(value: string, values: readonly string[] = []): string[] {
  return [...values, value]
}

function groupings(value: string): string[] {
  const names = value.split(',')
  if (names.every((name) => ['day', 'model', 'key'].includes(name))) return names
  throw new InvalidArgumentError('It must be one or several of day, model and key.')
}

function wholeNumber(value: string): number {
  // Commander prints the name of the option before this text.
  if (!/^\d{1,6}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

function instant(value: string): number {
  const at = Date.parse(value)
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time, such as 2026-11-25T14:00Z.')
  return at
}

function version(): string {
  for (const path of ['../package.json', '../../package.json'])
    try {
      const manifest = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
      if (manifest.name === '@genmount/cli') return manifest.version
    } catch {
      // The built file is one folder closer to package.json than the source file.
    }
  return 'unknown'
}
