import type { Log } from '@genmount/core'
import { recordOf, type Scrub } from '@genmount/vendor-http'
import type { AiSdkModel } from '../models/ai-sdk-model.ts'
import type { ModelCall } from '../tasks/model-call.ts'

/** What a model has said that it ignores. */
export interface WarningRecord {
  /**
   * Notes the warnings of a result, and tells the log of each kind once.
   * @param id the public id of the model
   * @returns what is to be refused, in words; `undefined` when nothing is
   */
  note(id: string, call: ModelCall, warnings: unknown): string | undefined
  /** What such a call is refused for before it is made, because the model has ignored it earlier. */
  known(call: ModelCall): string | undefined
}

/** How many kinds of warnings, and how many forms of calls, are remembered. */
const maxEntries = 1000

/** The types of warnings that say that a part of the call has no effect. Others are only told. */
const ignoringTypes = new Set<unknown>(['unsupported', 'unsupported-setting', 'other'])

/**
 * Makes the record of one model. Other processes have records of their own.
 * @param isRefusing whether what a model ignores is to be refused
 */
export function warningRecord(
  { provider, modelId }: AiSdkModel,
  isRefusing: boolean,
  log: Log,
  scrub: Scrub,
): WarningRecord {
  const told = new Set<string>()
  const refused = new Map<string, string>()

  function tell(id: string, words: string): void {
    if (told.has(words) || told.size === maxEntries) return
    told.add(words)
    log.warn(`Model ${id} (${provider} ${modelId}) says: ${words}`, { model: id, provider: 'ai-sdk' })
  }

  return {
    note(id, call, warnings) {
      const all = Array.isArray(warnings) ? warnings : []
      const ignored: string[] = []
      for (const warning of all) {
        const words = scrub(wordsOf(warning))
        if (words === '') continue
        tell(id, words)
        if (ignoringTypes.has(recordOf(warning)['type'])) ignored.push(words)
      }
      if (!isRefusing || ignored.length === 0) return undefined
      if (refused.size < maxEntries) refused.set(formOf(call), ignored.join(' '))
      return ignored.join(' ')
    },
    known: (call) => refused.get(formOf(call)),
  }
}

/** Versions 3 and 4 of the specification name a `feature`, version 2 a `setting`. */
function wordsOf(warning: unknown): string {
  const { type, feature, setting, details, message } = recordOf(warning)
  const name = feature ?? setting
  const verdict = type === 'compatibility' ? 'is only imitated' : 'is not supported'
  const parts = typeof name === 'string' ? [`${name} ${verdict}.`, details] : [message]
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}

/**
 * The call without what differs from task to task and is not ignored for its value: texts, seeds, and the content of
 * pictures.
 */
function formOf({ prompt, seed, ...options }: ModelCall): string {
  const form = { ...options, prompt: prompt !== undefined, seed: seed !== undefined }
  return JSON.stringify(form, (_key, value: unknown) => (isPicture(value) ? 'picture' : value))
}

function isPicture(value: unknown): boolean {
  const { type } = recordOf(value)
  return (type === 'url' || type === 'file') && ('url' in recordOf(value) || 'data' in recordOf(value))
}
