import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { fakeFile } from '@genmount/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchServer, scriptCommand } from '../processes/start-server.ts'
import { call, shownJob, textOf, typesOf } from './call.ts'
import { connectOverHttp, connectOverStdio, type Era } from './connect.ts'
import { keys } from './servers/mcp-service.ts'
import { startOnNode } from './servers/start-on-node.ts'

interface Connection {
  readonly client: Client
  readonly baseUrl: string
  stop(): unknown
}

async function overHttp(era: Era): Promise<Connection> {
  const { baseUrl, stop } = await startOnNode()
  return { client: await connectOverHttp(baseUrl, era), baseUrl, stop }
}

async function overStdio(era: Era): Promise<Connection> {
  const { baseUrl, stop } = await startOnNode()
  const { client } = await connectOverStdio(baseUrl, era)
  return { client, baseUrl, stop }
}

async function overFetch(runtime: 'deno' | 'bun'): Promise<Connection> {
  const script = new URL('servers/runtime-server.ts', import.meta.url)
  const { process, origin } = await launchServer(scriptCommand(runtime, script))
  return { client: await connectOverHttp(origin), baseUrl: origin, stop: process.kill }
}

const connections: Record<string, () => Promise<Connection>> = {
  'over HTTP on Node': () => overHttp('modern'),
  'over HTTP on Node, for clients of the protocol of 2025': () => overHttp('legacy'),
  'over HTTP on Deno': () => overFetch('deno'),
  'over HTTP on Bun': () => overFetch('bun'),
  'over stdio': () => overStdio('modern'),
  'over stdio, for clients of the protocol of 2025': () => overStdio('legacy'),
}

const kite = { model: 'fake-image', prompt: 'a kite', cost_usd: 0.04 }
const film = { model: 'fake-video', prompt: 'a kite flies', cost_usd: 1.5 }
const picture = Buffer.from(fakeFile('image').bytes)

async function jobOf({ baseUrl }: Connection, id: string) {
  const headers = { authorization: `Bearer ${keys.alice}` }
  const response = await fetch(`${baseUrl}/v1/jobs/${id}`, { headers })
  return (await response.json()) as { input: Record<string, string> }
}

// Beside each other, because the film takes three seconds.
describe.concurrent.each(Object.keys(connections))('the MCP endpoint %s', (name) => {
  let connection: Connection

  beforeAll(async () => void (connection = await connections[name]!()))
  afterAll(async () => {
    await connection?.client.close()
    await connection?.stop()
  })

  test('the tools are listed with the models of the service', async () => {
    const { tools } = await connection.client.listTools()
    const names = ['generate_image', 'generate_video', 'edit_image', 'get_job', 'cancel_job', 'list_models']
    expect(tools.map(({ name }) => name)).toEqual(names)
    const [images, videos, edits] = tools.map(({ inputSchema }) => inputSchema)
    expect(images?.properties?.['model']).toMatchObject({ enum: ['fake-image', 'painter'] })
    expect(images?.required).toEqual(['prompt', 'model'])
    expect(videos?.properties).toHaveProperty('duration')
    expect(videos?.required).toEqual(['prompt'])
    expect(edits?.required).toEqual(['image', 'prompt'])
  })

  test('generate_image returns the bytes of the picture, a link to it and its cost', async () => {
    const result = await call(connection.client, 'generate_image', kite)
    expect(result.isError ?? false).toBe(false)
    expect(typesOf(result)).toEqual(['text', 'image', 'resource_link'])
    const [, image, link] = result.content
    expect(image).toMatchObject({ mimeType: 'image/png', data: picture.toString('base64') })
    const { job_id, cost_usd, files } = shownJob(result)
    expect(link).toMatchObject({ uri: `genmount://files/${job_id}/0`, mimeType: 'image/png' })
    expect(cost_usd).toBe(0.04)
    expect(textOf(result)).toContain('It has cost 0.04 USD')
    const opened = await fetch(files[0]!.open_url!)
    expect(Buffer.from(await opened.arrayBuffer())).toEqual(picture)
  })

  test('a client reads the resource of an output, and gives it to edit_image', async () => {
    const { job_id, files } = shownJob(await call(connection.client, 'generate_image', kite))
    const { contents } = await connection.client.readResource({ uri: files[0]!.uri })
    expect(contents).toEqual([
      expect.objectContaining({
        uri: files[0]!.uri,
        mimeType: 'image/png',
        blob: picture.toString('base64'),
      }),
    ])
    const edited = shownJob(
      await call(connection.client, 'edit_image', { prompt: 'at night', image: files[0]!.uri }),
    )
    expect(edited.status).toBe('completed')
    expect(edited.job_id).not.toBe(job_id)
    expect((await jobOf(connection, edited.job_id)).input['image']).toBe(`job://${job_id}#0`)
  })

  test('an agent makes a picture, a film of it and a film of that by three calls, without waiting between them', async () => {
    const made = async (name: string, args: object) =>
      shownJob(await call(connection.client, name, args)).job_id
    const first = await made('generate_image', { ...kite, delay_ms: 1500, wait: false })
    const second = await made('generate_video', { ...film, image: `job://${first}#0`, wait: false })
    const address = `${connection.baseUrl}/v1/files/${second}`
    const last = await call(connection.client, 'generate_video', { ...film, image: address })
    expect(shownJob(last).status).toBe('completed')
    const inputs = await Promise.all(
      [second, shownJob(last).job_id].map(async (id) => (await jobOf(connection, id)).input['image']),
    )
    expect(inputs).toEqual([`job://${first}#0`, `job://${second}#0`])
  })

  test('get_job waits for a film that generate_video has started, and reports its progress', async () => {
    const started = await call(connection.client, 'generate_video', {
      ...film,
      delay_ms: 3000,
      progress: 0.5,
      wait: false,
    })
    const { job_id, status } = shownJob(started)
    expect(status).toBe('processing')
    expect(textOf(started)).toContain('get_job')
    const told: number[] = []
    const result = (await connection.client.callTool(
      { name: 'get_job', arguments: { job_id, wait: true } },
      { onprogress: ({ progress }) => told.push(progress) },
    )) as CallToolResult
    expect(shownJob(result)).toMatchObject({ job_id, status: 'completed', cost_usd: 1.5 })
    expect(typesOf(result)).toEqual(['text', 'resource_link'])
    expect(result.content[1]).toMatchObject({ mimeType: 'video/mp4' })
    expect(told).toEqual([0, 0.5])
  })

  test('cancel_job cancels a job', async () => {
    const { job_id } = shownJob(
      await call(connection.client, 'generate_video', { ...film, delay_ms: 600_000, wait: false }),
    )
    expect((await call(connection.client, 'cancel_job', { job_id })).isError ?? false).toBe(false)
    const result = await call(connection.client, 'get_job', { job_id, wait: true })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/^canceled/)
  })

  test('generate_image returns an error with the code, message and cost of a job that fails', async () => {
    const broken = { ...kite, fail: 'content_policy', fail_message: 'not this' }
    const result = await call(connection.client, 'generate_image', broken)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/^content_policy: .*not this/)
    expect(shownJob(result)).toMatchObject({ status: 'failed', cost_usd: 0.04 })
  })

  test('list_models names the models with their prices, and one model with its whole schema', async () => {
    const all = await call(connection.client, 'list_models', {})
    expect(textOf(all)).toContain('painter (image, 0.25 USD per image)')
    expect(textOf(all)).not.toContain('"properties"')
    const one = (await call(connection.client, 'list_models', { model: 'painter' })).structuredContent as {
      models: { input_schema: object }[]
    }
    expect(one.models[0]?.input_schema).toHaveProperty('properties.aspect_ratio')
    const films = await call(connection.client, 'list_models', { output_kind: 'video' })
    expect(films.structuredContent).toMatchObject({ models: [{ id: 'fake-video' }] })
  })

  test('a call that is repeated with its idempotency key creates no second job', async () => {
    const repeated = { ...kite, idempotency_key: crypto.randomUUID() }
    const ids = [
      await call(connection.client, 'generate_image', repeated),
      await call(connection.client, 'generate_image', repeated),
    ]
    expect(shownJob(ids[1]!).job_id).toBe(shownJob(ids[0]!).job_id)
    const [file] = shownJob(ids[0]!).files
    const edit = { prompt: 'at night', image: file!.uri, idempotency_key: crypto.randomUUID() }
    const edits = [
      await call(connection.client, 'edit_image', edit),
      await call(connection.client, 'edit_image', edit),
    ]
    expect(shownJob(edits[0]!).job_id).toMatch(/^gen_/)
    expect(shownJob(edits[1]!).job_id).toBe(shownJob(edits[0]!).job_id)
  })

  test('a wrong call is answered with an error result that says what is wrong', async () => {
    const said = async (name: string, args: object) => {
      const result = await call(connection.client, name, args)
      expect(result.isError).toBe(true)
      return textOf(result)
    }
    expect(await said('generate_image', { prompt: 'a kite' })).toMatch(
      /^missing_field: model is missing: .*painter/,
    )
    expect(await said('generate_image', film)).toMatch(/^wrong_output_kind: .*fake-image, painter/)
    expect(await said('generate_image', { model: 'none', prompt: 'a kite' })).toMatch(/^model_not_found/)
    expect(await said('generate_image', { model: 'painter' })).toMatch(/^(missing_field|invalid_request)/)
    expect(await said('get_job', { job_id: 'gen_none' })).toMatch(/^job_not_found/)
    expect(await said('get_job', {})).toMatch(/^missing_field: job_id/)
    expect(await said('edit_image', { prompt: 'at night' })).toMatch(/^missing_field: image/)
  })
})
