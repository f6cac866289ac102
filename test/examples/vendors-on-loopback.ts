import { isMainThread } from 'node:worker_threads'

/*
 * Import this module before a program. It replaces the vendors' hosts by fakes, and puts the keys of the fakes into the
 * program's environment. If FAKE_KEYS is set, only the variables that it names get a key. Variables that are already set keep
 * their values. With `FAL_ANSWERS=429,401` the fake of fal answers the first submit with 429, and all later ones with 401. With
 * `FAL_ANSWERS=never` it accepts the connection and does not answer. `OPENAI_TAKES_MS` is how long OpenAI takes to answer.
 */

// Node imports this module in the threads of worker pools too. The program and its threads share one set of fakes.
if (isMainThread) await import('./start-vendor-fakes.ts')
