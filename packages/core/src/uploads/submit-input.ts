import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { SubmitInput } from '../contracts/plugin/plugin-inputs.ts'
import { byteBudget } from '../sharing/shared-room.ts'
import { mapTexts, textsIn } from '../text/json-values.ts'
import { type InputFiles, isReference } from './input-files.ts'
import { type InputForm, linkStandIn } from './input-form.ts'
import { tooManyBytes } from './resolve-input.ts'

/**
 * How many bytes of files all submits of this process hold within data URIs at the same time. Without a limit, many jobs
 * that refer to one file would fill the memory.
 */
const maxHeldBytes = 96 * 1024 * 1024

/** Makes the function that replaces the references in the input of a job by what its provider can read. */
export function submitInputOf(
  files: InputFiles,
  form: InputForm,
): (job: Job, input: JsonObject) => Promise<SubmitInput> {
  const held = byteBudget(maxHeldBytes)

  return async (job, input) => {
    const references = textsIn(input, isReference)
    const releases: (() => void)[] = []
    const letGo = () => {
      for (const release of releases.splice(0)) release()
    }
    const texts = new Map<string, string>()
    let bytes = 0

    /** @returns why the submit can't be made */
    async function add(reference: string): Promise<SubmitInput | undefined> {
      const file = await files.find(job.owner, reference)
      switch (file.state) {
        case 'missing':
          return { gone: `The input refers to ${reference}. ${file.why}` }
        case 'awaited':
          return { later: { why: 'input' } }
        case 'linked':
          texts.set(reference, file.url)
          return undefined
        case 'stored': {
          // The provider's request contains a text once for each time that the input contains it.
          const times = references.filter((text) => text === reference).length
          const inlineBytes = times * form.inlineBytes(file.file)
          bytes += inlineBytes
          if (bytes > form.maxInlineBytes) return { gone: tooManyBytes(bytes, form) }
          const release = held.hold(inlineBytes)
          if (!release) return { later: {} }
          releases.push(release)
          texts.set(reference, await form.link(job, file.id, file.file))
          return undefined
        }
      }
    }

    try {
      for (const reference of new Set(references)) {
        const obstacle = await add(reference)
        if (obstacle) {
          letGo()
          return obstacle
        }
      }
    } catch (fault) {
      letGo()
      throw fault
    }
    return { input: mapTexts(input, (text) => texts.get(text) ?? text) as JsonObject, letGo }
  }
}

/** The input for a provider that already has the task. Its links lead nowhere, because nobody reads them again. */
export function taskInputOf(input: JsonObject): JsonObject {
  const nameOf = (reference: string) => reference.replace(/^\w+:\/\//, '').replace('#', '-')
  return mapTexts(input, (text) => (isReference(text) ? linkStandIn(nameOf(text)) : text)) as JsonObject
}
