import { dictionary } from '../fields.ts'

/** Legal caps that a price may break: interest per month, interest per year, charges on default. */
export const capKeys = dictionary('CAP_KEY', ['interest_month', 'interest_year', 'default_charges'])
