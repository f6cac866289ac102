import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Command } from '../processes/launch.ts'
import { runProgram } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { command, genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

/** Runs the program on a terminal of its own. @returns all that the terminal gets */
async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = temporaryFolder(),
  columns = 80,
) {
  const line = (await command(...args)).map((word) => `'${word}'`).join(' ')
  const script: Command = [
    'script',
    '--quiet',
    '--return',
    '--command',
    `stty cols ${columns}; ${line}`,
    '/dev/null',
  ]
  const { exit, bytes } = await runProgram(script, { cwd, env: { TERM: 'xterm-256color', ...env } })
  return { exit, text: bytes.toString('latin1') }
}

const picture = ['generate', '-m', 'procedural-image', '-p', 'a', '-f', 'resolution=480p', '-o', 'a.png']
/** The control characters that begin and end pictures, as the signs that stand for them. */
const visible = (text: string) => text.replaceAll('\x1b', '␛').replaceAll('\x07', '␇')
const slow = ['-f', 'simulate_latency_ms=1500']

describe('genmount on a terminal', { tags: ['needs/script'] }, () => {
  test('shows a progress bar while a job runs, removes it at the end, and prints the name of the file', async () => {
    const { env } = await startServer()
    const { exit, text } = await onTerminal([...picture, ...slow], env)
    expect(exit).toBe(0)
    expect(text).toMatch(/procedural-image .* 0\.\d s.*procedural-image .* 1\.\d s/s)
    expect(visible(text)).toMatch(/\r␛\[Kgen_\w+ completed in [\d.]+ s\r\na\.png\r\n$/)
    expect(text).toContain('\x1b[36m')
  })

  test('prints no colours with NO_COLOR, and a progress bar no wider than the terminal', async () => {
    const { env } = await startServer()
    const { text } = await onTerminal([...picture, ...slow], { ...env, NO_COLOR: '1' }, temporaryFolder(), 34)
    expect(text).not.toContain('\x1b[36m')
    const drawn = Buffer.from(text, 'latin1')
      .toString()
      .split('\r\x1b[K')
      .filter((line) => line.startsWith('procedural'))
    expect(drawn.length).toBeGreaterThan(3)
    for (const line of drawn) expect(line.length).toBeLessThan(34)
  })

  test('lists jobs in 80 columns: the whole ids, how old they are, and whole words of the prompts', async () => {
    const { env, jobs } = await startServer()
    const prompt = 'a lighthouse at dawn, with a red roof and a boat'
    await genmount(['generate', '-m', 'procedural-image', '-p', prompt, '-f', 'resolution=480p'], {
      cwd: temporaryFolder(),
      env,
    })
    const [job] = await jobs()
    const { text } = await onTerminal(['jobs'], env)
    const lines = Buffer.from(text, 'latin1').toString().trimEnd().split('\r\n')
    expect(lines).toEqual([
      expect.stringMatching(/^JOB +STATUS +AGE +PROMPT OR ERROR$/),
      expect.stringMatching(new RegExp(`^${job?.id}  completed  \\d+ s +a lighthouse at( dawn)?…$`)),
    ])
    const wide = await onTerminal(['jobs'], env, temporaryFolder(), 160)
    expect(wide.text).toMatch(/JOB +STATUS +MODEL +AGE +COST +PROMPT OR ERROR\r\n/)
    expect(wide.text).toContain(prompt)
  })

  test('shows the whole picture with the graphics protocol of kitty', async () => {
    const { env } = await startServer()
    const { text } = await onTerminal(picture, { ...env, KITTY_WINDOW_ID: '1' })
    const pieces = [...visible(text).matchAll(/␛_G([^;]*);([^␛]*)␛\\/g)]
    expect(pieces[0]?.[1]).toBe('a=T,f=100,q=2,m=1')
    expect(pieces.at(-1)?.[1]).toBe('m=0')
    for (const [, , data = ''] of pieces) expect(data.length).toBeLessThanOrEqual(4096)
    const png = Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64')
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 480 })
  })

  test('shows the picture with the protocol of iTerm2', async () => {
    const { env } = await startServer()
    const { text } = await onTerminal(picture, {
      ...env,
      TERM_PROGRAM: 'vscode',
      TERM_PROGRAM_VERSION: '1.100.0',
    })
    const [, data = ''] =
      /␛\]1337;File=inline=1;size=\d+;preserveAspectRatio=1:([\w+/=]+)␇/.exec(visible(text)) ?? []
    expect((await sharp(Buffer.from(data, 'base64')).metadata()).width).toBe(480)
  })

  test('shows the picture in sixels', async () => {
    const { env } = await startServer()
    const { text } = await onTerminal(picture, { ...env, TERM: 'mlterm' })
    const [, sixels = ''] = /␛P0;1q"1;1;480;480([^␛]*)␛\\/.exec(visible(text)) ?? []
    expect(sixels.split('-')).toHaveLength(80)
  })

  test('shows no picture with --no-show, and refuses to write a file to the terminal', async () => {
    const { env } = await startServer()
    const kitty = { ...env, KITTY_WINDOW_ID: '1' }
    expect((await onTerminal([...picture, '--no-show'], kitty)).text).not.toContain('\x1b_G')
    const refused = await onTerminal([...picture.slice(0, -1), '-'], env)
    expect([refused.exit, refused.text]).toEqual([2, expect.stringContaining('redirect it')])
  })

  test('prints lists with a row of column names', async () => {
    const { env } = await startServer()
    const { text } = await onTerminal(['models'], env)
    expect(text).toMatch(/^MODEL +MAKES +TAKES +PRICE\r\nprocedural-image +image +/)
  })
})
