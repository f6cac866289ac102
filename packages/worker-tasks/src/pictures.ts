export { checkPicture, UnusablePictureError } from './pictures/check-picture.ts'
export { inPicturePlace } from './pictures/in-picture-place.ts'
