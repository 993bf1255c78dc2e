import { dictionary } from '../fields.ts'

/** How a contact is related to the applicant. */
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
/** As written in the identity document. */
export const genders = dictionary('GENDER', ['male', 'female'])
/** As stated in the application. */
export const maritalStatuses = dictionary('MARITAL_STATUS_TYPE', ['single', 'married', 'divorced', 'widowed'])
/** Highest education, as stated in the application. */
export const educationTypes = dictionary('EDUCATION_TYPE', [
  'primary',
  'secondary',
  'certificate',
  'diploma',
  'degree',
  'postgraduate',
])
/** Occupation, as stated in the application. */
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
/** On what terms the applicant lives at their address. */
export const residenceTypes = dictionary('RESIDENCE_TYPE', ['owned', 'rented', 'family', 'employer'])
/** What the loan is for, as stated in the application. */
export const loanPurposes = dictionary('LOAN_PURPOSE', [
  'business',
  'school_fees',
  'medical',
  'rent',
  'farming',
  'emergency',
  'other',
])
/** Where a customer stands with the apps; the numbers are theirs, the words are those of the dictionary. */
export const customerStatuses = dictionary('CUSTOMER_STATUS', ['0', '1', '2', '3', '4'])
