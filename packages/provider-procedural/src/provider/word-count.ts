import { styleWords } from '../edit/style-words.ts'
import { colourWords, features, grounds, lights } from '../scene/theme.ts'

const lists = [grounds, lights, features, styleWords].flatMap((table) => Object.values(table))

/** How many words of a prompt the models know. */
export const wordCount = new Set([...lists.flatMap((list) => list.split(' ')), ...Object.keys(colourWords)])
  .size
