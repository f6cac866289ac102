import type { Job } from '../contracts/job.ts'

/** The most characters of the model and of the prompt in a name. */
const most = { model: 40, prompt: 60 }

/**
 * A file name that a person would keep for an output: the model, the first words of the prompt, and the number of the output,
 * such as `flux-2-pro-a-red-fox-in-the-snow-1`. It has letters from a to z, digits and hyphens, and no extension. For a prompt
 * without such letters it has the id of the job instead.
 * @param index the place of the output among those of the job, counted from 0
 */
export function outputName(
  { id, model, shownInput: { prompt } }: Pick<Job, 'id' | 'model' | 'shownInput'>,
  index: number,
): string {
  const words = typeof prompt === 'string' ? wordsOf(prompt, most.prompt) : ''
  const parts = [wordsOf(model, most.model), words || wordsOf(id, most.prompt), String(index + 1)]
  return parts.filter(Boolean).join('-')
}

/** The first words of a text, as many whole ones as fit, or the beginning of the first. */
function wordsOf(text: string, length: number): string {
  const plain = text
    .slice(0, 20 * length)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? []
  let name = ''
  for (const word of words) {
    if (name && name.length + 1 + word.length > length) break
    name = name ? `${name}-${word}` : word.slice(0, length)
  }
  return name
}
