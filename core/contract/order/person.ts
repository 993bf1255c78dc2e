import { dictionary } from '../fields.ts'

export const relationTypes = dictionary('RELATION_TYPE', [
  'self',
  'spouse',
  'parent',
  'sibling',
  'child',
  'colleague',
  'friend',
  'other',
])
export const genders = dictionary('GENDER', ['male', 'female'])
export const maritalStatuses = dictionary('MARITAL_STATUS_TYPE', ['single', 'married', 'divorced', 'widowed'])
export const educationTypes = dictionary('EDUCATION_TYPE', [
  'primary',
  'secondary',
  'certificate',
  'diploma',
  'degree',
  'postgraduate',
])
export const occupations = dictionary('OCCUPATION', [
  'trader',
  'farmer',
  'teacher',
  'driver',
  'health_worker',
  'civil_servant',
  'artisan',
  'office_worker',
  'security',
  'other',
])
export const residenceTypes = dictionary('RESIDENCE_TYPE', ['owned', 'rented', 'family', 'employer'])
export const loanPurposes = dictionary('LOAN_PURPOSE', [
  'business',
  'school_fees',
  'medical',
  'rent',
  'farming',
  'emergency',
  'other',
])
export const customerStatuses = dictionary('CUSTOMER_STATUS', ['0', '1', '2', '3', '4'])
