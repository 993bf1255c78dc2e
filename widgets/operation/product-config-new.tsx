import { productNew, stageProducts } from '../../core/contract/operation/product.ts'
import { productScreen } from './product/product-screen.tsx'

/** The same for products of several instalments, whose overdue bills are collected one by one. */
export default productScreen({ config: stageProducts, calls: productNew, own: ['installmentCount'] })
