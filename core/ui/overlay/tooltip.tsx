import { Tooltip as Radix } from '@radix-ui/themes'
import { Tooltip as Primitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../../element/context.ts'
import { Themed } from './themed.tsx'

/** A word of explanation on hover and focus; never the only place of what somebody needs. */
export const Tooltip = (props: ComponentProps<typeof Radix>) => (
  <Primitive.Provider delayDuration={200}>
    <Themed>
      <Radix container={usePortalContainer()} {...props} />
    </Themed>
  </Primitive.Provider>
)
