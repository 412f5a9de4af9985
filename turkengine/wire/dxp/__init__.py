"""DXP (DamExchange), without input or output: messages as values and as bytes, and the sessions of both ends."""
