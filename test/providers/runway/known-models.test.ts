import { join } from 'node:path'
import type { JsonObject } from '@genmount/core'
import { runwayProvider } from '@genmount/provider-runway'
import ts from 'typescript'
import { expect, test } from 'vitest'

// Every request that the table of Runway's models leads to is one that the types of Runway's own SDK accept.

const url = 'https://files.example.com/fox'
const films =
  'gen4.5 gen4_turbo veo3.1 veo3.1_fast hailuo3 happyhorse_1_0 seedance2 seedance2_fast seedance2_mini seedance2_5 gemini_omni_flash gemini_omni_flash_1.1 grok_imagine_1_5 wan3 wan3_prime h3_max aleph2'
const pictures =
  'gen4_image gen4_image_turbo gpt_image_2 gpt_image_2_5_flare gpt_image_2_5_sunburst gemini_image3_pro gemini_image3.1_flash gemini_2.5_flash muse_image seedream5_pro seedream5_lite grok_imagine_image_2'
const resolutions: Readonly<Record<string, string>> = {
  hailuo3: '768p',
  grok_imagine_1_5: '720p',
  h3_max: '480p',
}
/** Models whose ratios are words of their own. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  hailuo3: ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
  grok_imagine_1_5: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'],
  aleph2: ['16:9', '9:16', '21:9'],
}
const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9']

/** Inputs with one field each, beside those that the model needs anyway. */
function inputsOf(model: string): JsonObject[] {
  const image = { image: url }
  const fields: JsonObject[] = [
    {},
    image,
    { ...image, last_frame: url },
    { seed: 7 },
    { sound: false },
    { duration: 6 },
    { negative_prompt: 'fog' },
    { reference_images: [url] },
    { reference_videos: [`${url}.mp4`] },
    { audio: `${url}.mp3` },
    { num_outputs: 4 },
    { video: `${url}.mp4` },
    { resolution: resolutions[model] ?? '720p' },
    // From text alone, gen4.5 makes only two of its shapes.
    ...(wordsOf[model] ?? ratios).map((aspect_ratio) => ({ ...(model === 'gen4.5' && image), aspect_ratio })),
  ]
  const needed: Readonly<Record<string, JsonObject>> = {
    gen4_turbo: image,
    gen4_image_turbo: { reference_images: [url] },
    aleph2: { video: `${url}.mp4` },
  }
  return fields.map((field) => ({ prompt: 'a fox', ...needed[model], ...field }))
}

/** The type of the SDK for the body of an endpoint's request. */
const typeOf: Readonly<Record<string, string>> = {
  text_to_video: 'TextToVideoCreateParams',
  image_to_video: 'ImageToVideoCreateParams',
  video_to_video: 'VideoToVideoCreateParams',
  text_to_image: 'TextToImageCreateParams',
}

/** The requests that a model makes of all these inputs, each as a statement in TypeScript. */
async function requestsOf(model: string, outputKind: 'image' | 'video'): Promise<string[]> {
  const statements: string[] = []
  const provider = runwayProvider({
    token: 'key',
    models: { it: { model, outputKind } },
    fetch: async (url, init) => {
      const endpoint = String(url).split('/').at(-1)!
      const body = await new Response(init?.body).text()
      // The model has no size of this shape, and Runway says so.
      const { ratio } = JSON.parse(body) as { readonly ratio?: string }
      if (ratio !== undefined && ratios.includes(ratio) && !wordsOf[model])
        return Response.json({}, { status: 400 })
      statements.push(`;(${body}) satisfies RunwayML.${typeOf[endpoint]}`)
      return Response.json({ id: 'task' })
    },
  })
  for (const input of inputsOf(model)) {
    const checked = await provider.models[0]!.input['~standard'].validate(input)
    if (checked.issues) continue
    const task = { jobId: 'j', model: 'it', input: checked.value as JsonObject, clientToken: 't' }
    await provider.submit(task, { signal: new AbortController().signal })
  }
  return statements
}

function complaintsOf(statements: readonly string[]): string[] {
  const file = join(import.meta.dirname, 'requests-of-all-models.ts')
  const source = ["import type RunwayML from '@runwayml/sdk'", ...statements].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2024) : read(name, ...rest)
  const { fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  const program = ts.createProgram([file], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file ? file.text.slice(0, start).split('\n').length : 1
    return `${source.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300)}`
  })
}

test("each field of each Runway model makes a request that the types of Runway's SDK accept", async () => {
  const all = await Promise.all([
    ...films.split(' ').map((model) => requestsOf(model, 'video')),
    ...pictures.split(' ').map((model) => requestsOf(model, 'image')),
  ])
  const statements = all.flat()
  expect(statements.length).toBeGreaterThan(200)
  expect(complaintsOf(statements)).toEqual([])
  const wrong = `;({"model":"gen4.5","promptText":"a","ratio":"1:1","duration":5}) satisfies RunwayML.TextToVideoCreateParams`
  expect(complaintsOf([wrong])).toHaveLength(1)
})
