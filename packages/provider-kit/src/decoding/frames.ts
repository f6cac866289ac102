/** The decoder of WebP walks over all frames that it has found for each further one, and wants to know all of them. */
export const maxFrames = 5000

export const framesFault = `has too many frames: an animation may have at most ${maxFrames}.`
