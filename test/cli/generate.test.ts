import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@genmount/core/limits'
import { fakeProvider } from '@genmount/testing'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, genmountHere } from './genmount.ts'
import { cutting, startServer } from './start-server.ts'

const picture = ['generate', '-m', 'procedural-image', '-p', 'a lighthouse', '-f', 'resolution=480p']
const isPng = (bytes: Buffer) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'

describe('genmount generate', () => {
  test('writes the output of the job to the file of -o, and prints only its name on standard output', async () => {
    const { env, jobs, file } = await startServer()
    const cwd = temporaryFolder()
    const { exit, stdout, stderr } = await genmount([...picture, '-o', 'out.png'], { cwd, env })
    expect([exit, stdout]).toEqual([0, 'out.png\n'])
    const [job] = await jobs()
    expect(stderr).toBe(`${job?.id} processing\n${job?.id} completed\n`)
    const bytes = readFileSync(join(cwd, 'out.png'))
    expect(isPng(bytes)).toBe(true)
    expect(bytes.equals(await file(job?.id ?? ''))).toBe(true)
  })

  test('names the file after the job without -o, and prints no progress with --quiet', async () => {
    const { env, jobs } = await startServer()
    const cwd = temporaryFolder()
    const { exit, stdout, stderr } = await genmount([...picture, '--quiet'], { cwd, env })
    const [job] = await jobs()
    expect([exit, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`${job?.id}.png\n`)
    expect(readdirSync(cwd)).toEqual([`${job?.id}.png`])
  })

  test('numbers the files of a job with several outputs', async () => {
    const { env, jobs, file } = await startServer()
    const cwd = temporaryFolder()
    const { stdout } = await genmount([...picture, '-f', 'num_outputs=2', '-o', 'out.png'], { cwd, env })
    expect(stdout).toBe('out-1.png\nout-2.png\n')
    const [job] = await jobs()
    expect(readFileSync(join(cwd, 'out-2.png')).equals(await file(job?.id ?? '', 1))).toBe(true)
  })

  test('replaces a file only with --force, and without it refuses before a job is created', async () => {
    const { env, jobs } = await startServer()
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'out.png'), 'mine')
    writeFileSync(join(cwd, 'many-2.png'), 'mine')
    const refused = await genmount([...picture, '-o', 'out.png'], { cwd, env })
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringMatching('out.png exists.*--force')])
    const numbered = await genmount([...picture, '-f', 'num_outputs=2', '-o', 'many.png'], { cwd, env })
    expect([numbered.exit, numbered.stderr]).toEqual([2, expect.stringContaining('many-2.png exists')])
    expect(await jobs()).toEqual([])
    expect(readFileSync(join(cwd, 'out.png'), 'utf8')).toBe('mine')
    expect((await genmount([...picture, '-o', 'out.png', '--force'], { cwd, env })).exit).toBe(0)
    expect(isPng(readFileSync(join(cwd, 'out.png')))).toBe(true)
  })

  test('reads a picture from standard input and writes one to standard output with --image - and -o -', async () => {
    const { env, jobs, file } = await startServer()
    const first = await genmount([...picture, '-o', '-'], { env })
    expect([first.exit, isPng(first.bytes)]).toEqual([0, true])
    const second = await genmount([...picture, '--image', '-', '-o', '-'], { env, input: first.bytes })
    expect(second.exit).toBe(0)
    const [job] = await jobs()
    expect(job?.input['image']).toMatch(/^upload:/)
    expect(second.bytes.equals(await file(job?.id ?? ''))).toBe(true)
  })

  test('takes the output of a job that is still running as --image, by job:// and by its address, and in a dry run', async () => {
    const { env, url, jobs } = await startServer()
    const slow = [...picture, '-f', 'simulate_latency_ms=1500', '--no-wait']
    const first = (await genmountHere(slow, { env })).stdout.trim()
    const second = [...picture, '--image', `job://${first}#0`]
    expect((await genmountHere([...second, '--dry-run'], { env })).exit).toBe(0)
    const edited = (await genmountHere([...second, '--no-wait'], { env })).stdout.trim()
    const address = `${url}/v1/files/${edited}`
    const third = await genmount([...picture, '--image', address, '-o', '-'], { env })
    expect([third.exit, isPng(third.bytes)]).toEqual([0, true])
    const images = (await jobs()).map(({ input }) => input['image'])
    expect(images).toEqual([`job://${edited}#0`, `job://${first}#0`, undefined])
  })

  test('sends a picture inside the create when the server takes no uploads', async () => {
    const { env, jobs } = await startServer({ plugins: [] })
    const made = await genmount([...picture, '-o', '-'], { env })
    const edited = await genmount([...picture, '--image', '-', '-o', '-'], { env, input: made.bytes })
    expect([edited.exit, isPng(edited.bytes)]).toEqual([0, true])
    const [job] = await jobs()
    expect(job?.input['image']).toMatch(/^\[data URI: image\/png/)
  })

  test('converts the values of -f to the types of the fields of the model', async () => {
    const { env } = await startServer()
    const args = [...picture, '-f', 'seed=7', '-f', 'format=webp', '--no-wait', '--json']
    const { stdout } = await genmountHere([...args, '-p', '12'], { env })
    expect(JSON.parse(stdout).input).toMatchObject({ seed: 7, format: 'webp', prompt: '12' })
  })

  test('prints the job and the names of its files as JSON with --json', async () => {
    const { env } = await startServer()
    const { stdout } = await genmount([...picture, '-o', 'a.png', '--json'], { cwd: temporaryFolder(), env })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', files: ['a.png'] })
  })

  test('downloads an output again when its download breaks off, and leaves no partial file', async () => {
    const twice = await startServer({}, cutting(2))
    const cwd = temporaryFolder()
    expect((await genmount([...picture, '-o', 'a.png'], { cwd, env: twice.env })).exit).toBe(0)
    const [job] = await twice.jobs()
    expect(readFileSync(join(cwd, 'a.png')).equals(await twice.file(job?.id ?? ''))).toBe(true)

    const always = await startServer({}, cutting(1000))
    const { exit, stderr } = await genmount([...picture, '-o', 'b.png'], { cwd, env: always.env })
    const [lost] = await always.jobs()
    expect(exit).toBe(3)
    expect(stderr).toContain(`genmount get ${lost?.id} -o FILE`)
    expect(readdirSync(cwd)).toEqual(['a.png'])
  })

  test('prints the id of the job with --no-wait, and genmount get --wait writes its output later', async () => {
    const { env, file } = await startServer()
    const cwd = temporaryFolder()
    const { stdout } = await genmountHere([...picture, '-f', 'simulate_latency_ms=8000', '--no-wait'], {
      env,
    })
    const id = stdout.trim()
    const early = await genmount(['get', id, '-o', 'a.png'], { cwd, env })
    expect([early.exit, early.stderr]).toEqual([2, expect.stringContaining('--wait')])
    expect((await genmount(['get', id, '--wait', '-o', 'a.png'], { cwd, env })).exit).toBe(0)
    expect(readFileSync(join(cwd, 'a.png')).equals(await file(id))).toBe(true)
  })

  test('says with --dry-run what a job would cost and whether the server would accept it, and creates none', async () => {
    const models = fakeProvider().models.map((model) => ({
      ...model,
      price: { text: '0.25 USD per image', per: 'image', usd: 0.25 },
    }))
    const { env, jobs } = await startServer({
      providers: [fakeProvider({ models })],
      plugins: [limits({ spendUsdPerDay: 0.6 })],
    })
    const dryRun = ['generate', '-m', 'fake-image', '-p', 'a kite', '--dry-run']
    const fits = await genmountHere([...dryRun, '-f', 'num_outputs=2'], { env })
    expect(fits).toMatchObject({
      exit: 0,
      stdout: 'cost:     $0.5\nprice:    0.25 USD per image\nleft:     $0.1 of the budget, after this job\n',
    })
    const json = await genmountHere([...dryRun, '--json'], { env })
    expect(JSON.parse(json.stdout)).toMatchObject({ object: 'estimate', cost_usd: 0.25, accepted: true })
    const refused = await genmountHere([...dryRun, '-f', 'num_outputs=3'], { env })
    expect(refused).toMatchObject({ exit: 5, stdout: expect.stringContaining('cost:     $0.75\n') })
    expect(refused.stderr).toMatch(/This job may cost 0\.75; 0\.60 are left/)
    expect(await jobs()).toEqual([])
  })

  test.each([
    [['-f', 'seed=x'], 'seed takes a whole number'],
    [['-f', 'sed=7'], 'has no field sed. It has: prompt'],
    [['-f', 'seed'], 'name=value'],
    [['--mask', 'in.png'], 'has no field mask'],
    [['--image', 'none.png'], "--image can't be read"],
    [['--image', 'a', '--image', 'b'], 'takes one, and 2 are given'],
    [['-o', 'no/such/folder/a.png'], 'folder no/such/folder does not exist'],
    [['-o', '-', '--json'], 'leave one out'],
    [['--colour', 'red'], "unknown option '--colour'"],
  ])(
    'refuses the command line %j with exit code 2, says what is right, and creates no job',
    async (args, message) => {
      const { env, jobs } = await startServer()
      const { exit, stdout, stderr } = await genmountHere([...picture, ...args], { env })
      expect([exit, stdout.length]).toEqual([2, 0])
      expect(stderr).toContain(message)
      expect(await jobs()).toEqual([])
    },
  )

  test('writes the film of a video model to a file', async () => {
    const { env } = await startServer()
    const cwd = temporaryFolder()
    const film = [
      'generate',
      '-m',
      'procedural-video',
      '-p',
      'the sea',
      '-f',
      'duration=1',
      '-f',
      'resolution=480p',
    ]
    expect((await genmount([...film, '-o', cwd], { cwd, env })).exit).toBe(0)
    const [name = ''] = readdirSync(cwd)
    expect(name).toMatch(/^gen_\w+\.mp4$/)
    expect(existsSync(join(cwd, name))).toBe(true)
    expect(readFileSync(join(cwd, name)).subarray(4, 8).toString()).toBe('ftyp')
  })
})
