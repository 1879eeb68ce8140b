export default function Home() {
  return <h1 className="display text-hero">We manufacture the parts you need.</h1>;
}
