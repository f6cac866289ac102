import type { ProviderReport } from '@genmount/core'
import type { AnsweredFile } from './answered-file.ts'
import { type FileSearch, filesIn } from './files-in.ts'
import { filesReport, type FinishedTask } from './files-report.ts'
import { stateIn } from './part-with.ts'

/** The files of an answer, with what the answer has in the place of files. */
export interface AnswerFiles {
  /** The files, in the order of the answer. */
  readonly list: readonly AnsweredFile[]
  /** Whether one of them can be delivered. */
  readonly hasOutput: boolean
  /** How many files the vendor has made, also if one of them can't be delivered. */
  readonly made: number
  /**
   * The state of the task. An answer that names none and has a file has ended: xAI has sent such answers, and so have
   * gateways. Gateways also have words of their own for a task that has ended well.
   * @param state what the answer has in the place of a state
   * @param ended the vendor's word for a task that has ended well
   * @returns `undefined` when the answer has neither a state nor a file
   */
  stateOf(state: unknown, ended: string): string | undefined
  /**
   * Reports the files of a finished task. Those that can't be delivered are left out and named for the log. If no other is
   * left, the task fails, in the vendor's own words if there are any. Without files and words, it has succeeded without
   * outputs, about which the service asks once more.
   */
  report(task: FinishedTask): ProviderReport
}

/**
 * The files of an answer, in whatever vendors and gateways wrap them: a list or a single file, a link, a data URI or
 * base64, in `data`, `output`, `images`, `video` and the like, at any level. What the answer has in the place of a file
 * is in the list as well, with what is wrong with it.
 * @param answer the answer, or the part of it that has the outputs
 * @param at the place of that part in the answer. @default the answer itself
 * @example answerFiles({ data: [{ b64_json: 'iVBORw0KGgo=' }, { url: null }] }, { kind: 'image' })
 */
export function answerFiles(answer: unknown, search: FileSearch, at?: string): AnswerFiles {
  return listedFiles(filesIn(answer, search, at))
}

/** Files that a provider has found or fetched itself, as {@link answerFiles} returns them. */
export function listedFiles(list: readonly AnsweredFile[]): AnswerFiles {
  const hasOutput = list.some(({ output }) => output)
  return {
    list,
    hasOutput,
    made: list.filter(({ output, fault, text }) => output || (fault !== 'is empty' && text === undefined))
      .length,
    stateOf: (state, ended) => stateIn(state, list, ended),
    report: (task) => filesReport(list, task),
  }
}
