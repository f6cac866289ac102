import { closeSync, openSync } from 'node:fs'

/** Takes all file descriptors that are left to this process. @returns a function that closes them, and why no more were to be had */
export function takeDescriptors(): { release: () => void; cause: unknown } {
  const descriptors: number[] = []
  const release = () => descriptors.forEach((descriptor) => closeSync(descriptor))
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'))
  } catch (cause) {
    return { release, cause }
  }
}
