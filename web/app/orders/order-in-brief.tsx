import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { ProductSummary } from '#app/products/product-cell.tsx';

/** The order that a dialog asks about. @param props.isForAdmin names the customer, too */
export const OrderInBrief = ({ order, isForAdmin }: { order: Order; isForAdmin: boolean }) => (
  <ProductSummary
    image={order.image}
    name={order.productName}
    figures={
      <>
        {formatPieces(order.quantity)} pieces, {formatAmount(order.totalPrice)}
        {isForAdmin && (
          <>
            , <bdi>{order.name}</bdi>
          </>
        )}
      </>
    }
  />
);
