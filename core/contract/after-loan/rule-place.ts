import { field } from '../fields.ts'

/** Which orders a rule is for: those of all merchants, of one, or of one of its products. It is chosen once, when the rule is made. */
export const rulePlace = {
  /** None for all merchants. */
  merchantNo: field.merchant().optional(),
  /** None for all products. */
  productNo: field.product().optional(),
}

/** The same in a row, with the names. */
export const placeRow = {
  merchantNo: field.merchant().nullable(),
  merchantName: field.text().nullable(),
  productNo: field.product().nullable(),
  productName: field.text().nullable(),
}

type Values = Readonly<Record<string, unknown>>

/** A product belongs to a merchant, so one is named with it. */
export const placeFlaw = ({ merchantNo, productNo }: Values) =>
  productNo && !merchantNo ? { path: 'merchantNo', message: 'validation.infoComplete' } : null
