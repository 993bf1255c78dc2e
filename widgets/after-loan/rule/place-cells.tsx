import { useText } from '../../../core/element/i18n.ts'

type Place = { merchantName: string | null; productName: string | null }

const Named = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

/** The merchant and the product that a rule is for. */
export const placeColumns = [
  { id: 'merchantName' as const, cell: (row: Place) => <Named name={row.merchantName} /> },
  { id: 'productName' as const, cell: (row: Place) => <Named name={row.productName} /> },
]
