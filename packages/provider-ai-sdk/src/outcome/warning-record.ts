import type { Log } from '@genmount/core'
import { recordOf, type Scrub } from '@genmount/vendor-http'
import type { CallOptions } from '../input/call-options.ts'
import type { AiSdkModel } from '../models/ai-sdk-model.ts'

/** What models have said that they ignore. */
export interface WarningRecord {
  /**
   * Notes the warnings of a result, and tells the log of each once for each model and kind.
   * @param id the public id of the model
   * @returns what was ignored, in words; `undefined` when nothing was
   */
  note(id: string, model: AiSdkModel, given: CallOptions, warnings: unknown): string | undefined
  /** What the model has ignored of an earlier task with such options, in words; `undefined` when nothing is known. */
  known(id: string, given: CallOptions): string | undefined
}

/** How many kinds of warnings, and how many forms of options, are remembered. */
const maxEntries = 1000

/** The types of warnings that say that a part of the options has no effect. Others are only told. */
const ignoringTypes = new Set(['unsupported', 'unsupported-setting', 'other'])

/** Makes the record of one provider. Other processes have records of their own. */
export function warningRecord(log: Log, scrub: Scrub): WarningRecord {
  const told = new Set<string>()
  const ignored = new Map<string, string>()

  function tell(id: string, { provider, modelId }: AiSdkModel, words: string): void {
    const kind = `${id}\n${words}`
    if (told.has(kind) || told.size === maxEntries) return
    told.add(kind)
    log.warn(`Model ${id} (${provider} ${modelId}) says: ${words}`, { model: id, provider: 'ai-sdk' })
  }

  return {
    note(id, model, given, warnings) {
      const all = Array.isArray(warnings) ? warnings.map((warning) => wordsOf(warning, scrub)) : []
      for (const { words } of all) if (words !== '') tell(id, model, words)
      const parts = all.filter(({ words, isIgnoring }) => isIgnoring && words !== '')
      if (parts.length === 0) return undefined
      const said = parts.map(({ words }) => words).join(' ')
      if (ignored.size < maxEntries) ignored.set(`${id}\n${formOf(given)}`, said)
      return said
    },
    known: (id, given) => ignored.get(`${id}\n${formOf(given)}`),
  }
}

/** Versions 3 and 4 of the specification name a `feature`, version 2 a `setting`. */
function wordsOf(warning: unknown, scrub: Scrub): { readonly words: string; readonly isIgnoring: boolean } {
  const { type, feature, setting, details, message } = recordOf(warning)
  const name = feature ?? setting
  const verdict = type === 'compatibility' ? 'is only imitated' : 'is not supported'
  const parts = typeof name === 'string' ? [`${name} ${verdict}.`, details] : [message]
  const words = parts.filter((part): part is string => typeof part === 'string' && part !== '').join(' ')
  return { words: scrub(words), isIgnoring: ignoringTypes.has(String(type)) }
}

/**
 * The options without what differs from task to task and is not ignored for its value: texts, seeds, and the content of
 * pictures.
 */
function formOf({ prompt, seed, ...options }: CallOptions): string {
  const form = { ...options, prompt: prompt !== undefined, seed: seed !== undefined }
  return JSON.stringify(form, (_key, value: unknown) => (isPicture(value) ? 'picture' : value))
}

function isPicture(value: unknown): boolean {
  const { type } = recordOf(value)
  return (type === 'url' || type === 'file') && ('url' in recordOf(value) || 'data' in recordOf(value))
}
