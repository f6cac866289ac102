export { closedInput, onlyWith, requiredUnless } from './fields/closed-input.ts'
export {
  aspectRatioField,
  choiceField,
  formField,
  numberField,
  providerOptionsField,
  textField,
  wholeNumberField,
} from './fields/fields.ts'
export { given } from './fields/given.ts'
export { openInput } from './fields/open-input.ts'
export { checkVendorFields, type VendorFields, vendorInput } from './fields/vendor-fields.ts'
export { pictureField, type PictureRules, picturesField } from './pictures/picture-field.ts'
export { type PictureType } from './pictures/picture-uri.ts'
export { type Picture, PictureError, pictureFailure } from './pictures/read-picture.ts'
export {
  pictureRefusal,
  type PictureReading,
  picturesInMemory,
  withPictures,
} from './pictures/with-pictures.ts'
