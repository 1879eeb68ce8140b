export { ParcelsByCsv as default } from '#app/orders/clerk/parcels-by-csv.tsx';
