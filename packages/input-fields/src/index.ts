export { closedInput, onlyWith, onlyWithout, requiredUnless } from './fields/closed-input.ts'
export {
  aspectRatioField,
  choiceField,
  formField,
  numberField,
  textField,
  wholeNumberField,
} from './fields/fields.ts'
export { type FieldLimits, type FieldRange } from './fields/field-limits.ts'
export { fixedParameters } from './fields/fixed-parameters.ts'
export { given } from './fields/given.ts'
export { modelInput } from './fields/model-input.ts'
export { type OpenFieldName, openFieldNames, type OpenFields } from './fields/open-fields.ts'
export { type OpenModel, openModel, type OpenModelOptions, openModelOptions } from './fields/open-model.ts'
export {
  checkOwnInputs,
  type FieldIssue,
  type FieldPathSegment,
  type FieldSchema,
  type FieldVerdict,
  ownFields,
  type OwnInputs,
} from './fields/own-inputs.ts'
export {
  type AllowedOptions,
  checkAllowedOptions,
  providerOptionsField,
  type ProviderOptionsAllowance,
  type ProviderOptionsRule,
} from './fields/provider-options.ts'
export { type PixelSize, type SizeGrid, sizeOfRatio } from './fields/size-of-ratio.ts'
export { checkVendorFields, type VendorFields, vendorInput, withoutFixed } from './fields/vendor-fields.ts'
export { pictureField, pictureListField, type PictureRules, picturesField } from './pictures/picture-field.ts'
export { type PictureType } from './pictures/picture-uri.ts'
export { type Picture, PictureError, pictureFailure } from './pictures/read-picture.ts'
export {
  pictureRefusal,
  type PictureReading,
  picturesInMemory,
  withPictures,
} from './pictures/with-pictures.ts'
