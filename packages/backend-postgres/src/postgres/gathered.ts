/** A question that waits to be asked, and the caller who waits for its answer. */
interface Waiting<Question, Answer> {
  readonly question: Question
  readonly answer: (answer: Promise<Answer>) => void
}

/**
 * Gathers the questions of one turn of the event loop, so that they can be asked together. At low load a turn has one
 * question, which is asked in that same turn.
 * @param most the largest number of questions that are asked together
 * @param ask asks some questions, and returns a promise for each of them in the same order. It does not throw
 */
export function gathered<Question, Answer>(
  most: number,
  ask: (questions: readonly Question[]) => readonly Promise<Answer>[],
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []

  function askAll(): void {
    const batch = waiting
    waiting = []
    for (let start = 0; start < batch.length; start += most) {
      const some = batch.slice(start, start + most)
      const answers = ask(some.map(({ question }) => question))
      some.forEach(({ answer }, index) => answer(answers[index]!))
    }
  }

  return (question) =>
    new Promise((answer) => {
      if (waiting.length === 0) setImmediate(askAll)
      waiting.push({ question, answer })
    })
}
