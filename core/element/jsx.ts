import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { MkopoCopy } from './leaves/mkopo-copy.ts'
import type { MkopoLoading } from './leaves/mkopo-loading.ts'
import type { MkopoPhone } from './leaves/mkopo-phone.ts'

type Leaf<E, K extends keyof E> = DetailedHTMLProps<HTMLAttributes<E>, E> & Partial<Pick<E, K>>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'mkopo-copy': Leaf<MkopoCopy, 'value' | 'language'>
      'mkopo-loading': Leaf<MkopoLoading, 'active'>
      'mkopo-phone': Leaf<MkopoPhone, 'masked' | 'language' | 'locked' | 'value'> & { 'onmkopo-reveal'?: () => void }
    }
  }
}
