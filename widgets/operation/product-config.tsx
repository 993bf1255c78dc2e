import { caseProducts, product } from '../../core/contract/operation/product.ts'
import { productScreen } from './product/product-screen.tsx'

/** Product managers set what is lent in one bill and at which price; a second person puts each version in force. */
export default productScreen({ config: caseProducts, calls: product, own: [] })
