import type { Log } from '@genmount/core'
import { recordOf } from '@genmount/provider-kit'
import type { AiSdkModel } from '../models/ai-sdk-model.ts'
import type { ModelCall } from '../tasks/model-call.ts'
import type { Scrub } from './without-keys.ts'

/** Remembers which parts of a call a model has said that it ignores. */
export interface WarningRecord {
  /**
   * Records the warnings of a result, and writes each kind of warning to the log once.
   * @param id the public id of the model
   * @returns the ignored parts for which the call must be refused, in words; `undefined` when it need not be refused
   */
  note(id: string, call: ModelCall, warnings: unknown): string | undefined
  /**
   * The reason to refuse this call before it is made, because the model ignored the same part in an earlier call.
   * `undefined` when there is no such reason.
   */
  refusalOf(call: ModelCall): string | undefined
}

/** The most kinds of warnings, and the most forms of calls, that are remembered. */
const maxEntries = 1000

/** The types of warnings that say that a part of the call has no effect. Warnings of other types are only logged. */
const ignoringTypes = new Set<unknown>(['unsupported', 'unsupported-setting', 'other'])

/**
 * Makes the record of one model. Each process has its own record.
 * @param isRefusing whether to refuse calls of which the model ignores a part
 */
export function warningRecord(
  { provider, modelId }: AiSdkModel,
  isRefusing: boolean,
  log: Log,
  scrub: Scrub,
): WarningRecord {
  const warned = new Set<string>()
  const refused = new Map<string, string>()

  function tell(id: string, words: string): void {
    if (warned.has(words) || warned.size === maxEntries) return
    warned.add(words)
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
    refusalOf: (call) => refused.get(formOf(call)),
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
 * The form of a call: the call without the values that differ from task to task and do not decide what the model
 * ignores. These are texts, seeds, and the content of pictures.
 */
function formOf({ prompt, seed, ...options }: ModelCall): string {
  const form = { ...options, prompt: prompt !== undefined, seed: seed !== undefined }
  return JSON.stringify(form, (_key, value: unknown) => (isPicture(value) ? 'picture' : value))
}

function isPicture(value: unknown): boolean {
  const { type } = recordOf(value)
  return (type === 'url' || type === 'file') && ('url' in recordOf(value) || 'data' in recordOf(value))
}
