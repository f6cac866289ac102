import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { fakeFile } from '@genmount/testing'
import { expect } from 'vitest'
import { keys } from './servers/mcp-service.ts'

/** What the tools say beside their text. */
export interface ShownJob {
  readonly job_id: string
  readonly status: string
  readonly cost_usd: number
  readonly error: string | null
  readonly files: readonly { readonly uri: string; readonly open_url?: string; readonly mime_type?: string }[]
}

/** Calls a tool. */
export async function call(client: Client, name: string, args: object): Promise<CallToolResult> {
  const result = await client.callTool({ name, arguments: { ...args } })
  expect(JSON.stringify(result)).not.toContain(keys.alice)
  return result as CallToolResult
}

export const shownJob = (result: CallToolResult) => result.structuredContent as unknown as ShownJob

export const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

export const typesOf = ({ content }: CallToolResult) => content.map(({ type }) => type)

const kite = { model: 'fake-image', prompt: 'a kite', cost_usd: 0.04 }
const film = { model: 'fake-video', prompt: 'a kite flies', cost_usd: 1.5 }
const picture = Buffer.from(fakeFile('image').bytes)

/** The promises of every endpoint, over every transport. */
export function mcpSuite(client: Client, baseUrl: string): Record<string, () => Promise<void>> {
  const job = async (id: string) => {
    const response = await fetch(`${baseUrl}/v1/jobs/${id}`, {
      headers: { authorization: `Bearer ${keys.alice}` },
    })
    return (await response.json()) as { input: Record<string, string>; status: string }
  }

  return {
    async 'the tools are listed with the models that are there'() {
      const { tools } = await client.listTools()
      const names = ['generate_image', 'generate_video', 'edit_image', 'get_job', 'cancel_job', 'list_models']
      expect(tools.map(({ name }) => name)).toEqual(names)
      const [images, videos, edits] = tools.map(({ inputSchema }) => inputSchema)
      expect(images?.properties?.['model']).toMatchObject({ enum: ['fake-image', 'painter'] })
      expect(images?.required).toEqual(['prompt', 'model'])
      expect(videos?.properties).toHaveProperty('duration')
      expect(videos?.required).toEqual(['prompt'])
      expect(edits?.required).toEqual(['image', 'prompt'])
    },
    async 'a picture comes back byte for byte, with a link to it and what it has cost'() {
      const result = await call(client, 'generate_image', kite)
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
    },
    async 'what a link leads to can be read, and given to the next job'() {
      const { job_id, files } = shownJob(await call(client, 'generate_image', kite))
      const { contents } = await client.readResource({ uri: files[0]!.uri })
      expect(contents).toEqual([
        expect.objectContaining({
          uri: files[0]!.uri,
          mimeType: 'image/png',
          blob: picture.toString('base64'),
        }),
      ])
      const edited = shownJob(await call(client, 'edit_image', { prompt: 'at night', image: files[0]!.uri }))
      expect(edited.status).toBe('completed')
      expect(edited.job_id).not.toBe(job_id)
      expect((await job(edited.job_id)).input['image']).toMatch(/upload/)
    },
    async 'a film is a job that can be looked after, and tells how far it is'() {
      const started = await call(client, 'generate_video', {
        ...film,
        delay_ms: 3000,
        progress: 0.5,
        wait: false,
      })
      const { job_id, status } = shownJob(started)
      expect(status).toBe('processing')
      expect(textOf(started)).toContain('get_job')
      const told: number[] = []
      const result = (await client.callTool(
        { name: 'get_job', arguments: { job_id, wait: true } },
        { onprogress: ({ progress }) => told.push(progress) },
      )) as CallToolResult
      expect(shownJob(result)).toMatchObject({ job_id, status: 'completed', cost_usd: 1.5 })
      expect(typesOf(result)).toEqual(['text', 'resource_link'])
      expect(result.content[1]).toMatchObject({ mimeType: 'video/mp4' })
      expect(told).toEqual([0, 0.5])
    },
    async 'a job that is no longer wanted is cancelled'() {
      const { job_id } = shownJob(
        await call(client, 'generate_video', { ...film, delay_ms: 600_000, wait: false }),
      )
      expect((await call(client, 'cancel_job', { job_id })).isError ?? false).toBe(false)
      const result = await call(client, 'get_job', { job_id, wait: true })
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/^canceled/)
    },
    async 'a job that fails is an error with the code, the text and the cost of the service'() {
      const broken = { ...kite, fail: 'content_policy', fail_message: 'not this' }
      const result = await call(client, 'generate_image', broken)
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/^content_policy: .*not this/)
      expect(shownJob(result)).toMatchObject({ status: 'failed', cost_usd: 0.04 })
    },
    async 'the models are named with their prices, and one with its whole schema'() {
      const all = await call(client, 'list_models', {})
      expect(textOf(all)).toContain('painter (image, 0.25 USD per image)')
      expect(textOf(all)).not.toContain('"properties"')
      const one = (await call(client, 'list_models', { model: 'painter' })).structuredContent as {
        models: { input_schema: object }[]
      }
      expect(one.models[0]?.input_schema).toHaveProperty('properties.aspect_ratio')
      const films = await call(client, 'list_models', { output_kind: 'video' })
      expect(films.structuredContent).toMatchObject({ models: [{ id: 'fake-video' }] })
    },
    async 'a call that was repeated with its idempotency key makes no second job'() {
      const repeated = { ...kite, idempotency_key: crypto.randomUUID() }
      const ids = [
        await call(client, 'generate_image', repeated),
        await call(client, 'generate_image', repeated),
      ]
      expect(shownJob(ids[1]!).job_id).toBe(shownJob(ids[0]!).job_id)
      const [file] = shownJob(ids[0]!).files
      const edit = { prompt: 'at night', image: file!.uri, idempotency_key: crypto.randomUUID() }
      const edits = [await call(client, 'edit_image', edit), await call(client, 'edit_image', edit)]
      expect(shownJob(edits[0]!).job_id).toMatch(/^gen_/)
      expect(shownJob(edits[1]!).job_id).toBe(shownJob(edits[0]!).job_id)
    },
    async 'what is wrong with a call is said in words, as the answer of the tool'() {
      const said = async (name: string, args: object) => {
        const result = await call(client, name, args)
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
    },
  }
}
