import { useHost } from '../../../core/element/context.ts'
import { bootText } from '../../../core/i18n/boot.ts'
import { Flex, Skeleton } from '../../../core/ui/basics.ts'

const lines = (count: number) => Array.from({ length: count }, (_, line) => line)

/** The shape of cards of facts while they load. */
export const CardsSkeleton = ({ cards = 4 }: { cards?: number }) => (
  <div className="mk-cards" aria-busy="true">
    {lines(cards).map(card => (
      <div key={card}>
        <Skeleton width="120px" height="16px" mb="3" />
        <Flex wrap="wrap" gap="3">
          {lines(6).map(fact => (
            <Skeleton key={fact} width="150px" height="32px" />
          ))}
        </Flex>
      </div>
    ))}
  </div>
)

/** The shape of an order while it loads: strip, tabs, cards. */
export const OrderSkeleton = () => (
  <div className="mk-order" role="status" aria-label={bootText(useHost().props.language, 'loading')}>
    <div className="mk-strip">
      <Skeleton width="320px" height="28px" mb="2" />
      <Flex wrap="wrap" gap="4">
        {lines(9).map(fact => (
          <Skeleton key={fact} width="92px" height="33px" />
        ))}
      </Flex>
    </div>
    <Skeleton width="520px" height="34px" />
    <CardsSkeleton />
  </div>
)
