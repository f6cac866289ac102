import { type Answer, answers, bodyOf } from './answer-file.ts'
import { type Bend, bendsOf, timesIn } from './bends.ts'
import { answerRunner, outputsIn } from './run-answer.ts'

/** A bent answer. */
export interface BentAnswer {
  readonly answer: Answer
  readonly bend: Bend
}

/**
 * The answers that end a task, each with its bends. The AI SDK's models return objects and not texts, so that nothing
 * around these objects is bent, and no error that they throw.
 */
export function* bentAnswers(): Generator<BentAnswer> {
  for (const answer of answers) {
    const { json, status, expect } = answer.answer
    if (json === undefined || status !== undefined || expect.code === 'running') continue
    for (const bend of bendsOf(json)) {
      const isOfModel = bend.text === undefined && !/ (?:the answer|throws\S*)$/.test(bend.what)
      if (answer.vendor !== 'ai-sdk' || isOfModel) yield { answer, bend }
    }
  }
}

const run = answerRunner()

/**
 * What is wrong with the outcome of a bent answer; `undefined` when nothing is. A file that is still in the answer must
 * be delivered, unless the bend has destroyed another one or the words say why it is not. Without a file, a poll may say
 * that it has learnt nothing. Nothing else may be thrown, and no failure is without words.
 */
export async function faultOf({ answer, bend }: BentAnswer): Promise<string | undefined> {
  const outcome = await run(answer, bend)
  const all = answer.answer.expect.outputs ?? []
  const before = String(bodyOf(answer.answer))
  const body = bend.text ?? String(bodyOf({ json: bend.json }))
  const left = all
    .filter((output) => timesIn(body, output) >= timesIn(before, output))
    .filter((output) => timesIn(body, output) > 0)
  if ('lost' in outcome) {
    const { name, message } = outcome.lost
    if (name !== 'Error' || !/ answered | answer is not /.test(message)) return `throws ${name}: ${message}`
    return left.length > 0 ? `loses ${left.join()}: ${message}` : undefined
  }
  const { report } = outcome
  const delivered = outputsIn(report)
  if (report.state === 'failed') {
    const isSaid = left.length < all.length || left.every((output) => report.message.includes(output))
    if (report.message.trim() === '') return 'fails without words'
    return isSaid || report.code === 'content_policy' ? undefined : `loses ${left.join()}: ${report.message}`
  }
  // The service asks once more about a task without outputs, and then says that there is none.
  const isEnough = delivered.length >= all.length || (delivered.length === 0 && left.length < all.length)
  const isDelivered = isEnough || left.every((output) => delivered.includes(output))
  return isDelivered ? undefined : `loses ${left.join()}: ${JSON.stringify(report).slice(0, 200)}`
}
