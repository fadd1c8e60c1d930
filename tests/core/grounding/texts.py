"""A source about many people and things, so that tests can confuse them."""

from __future__ import annotations

WORKS = (
    "The Sorrel Water Works opened in May 1908. It was designed by the engineer Ada Lind, who had trained in Bergen. "
    "The engineer Tom Berg supervised the building site. The works pumped 4,500 cubic metres of water a day from Lake "
    "Ferrin to the town, which then had 12,000 inhabitants. In 1954 the steam engines were replaced by electric pumps. "
    "The building closed in 1979 and stood empty for eleven years. Since 1990 it has housed a museum. The museum won "
    "the Northern Heritage Prize in 2004. Visitors from Denmark come by the ferry Solveig. The guide book The Iron "
    "Heart costs 1.2 million kroner to print. The United Nations sent experts to the works in 1961. Mia Holm, the "
    "34-year-old director of the museum, wants to raise 1,200,000 euros for the roof. Elsa Krog was elected to the "
    "town council in June. The company Havstrom delivered the new boilers."
)
