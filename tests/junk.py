"""Any JSON value, as an agent may send it where a gate expects something else."""

from hypothesis import strategies as st

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=80)
    | st.sampled_from(["row_1", "\ud800", "\u202e"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "embodies", "why", "connection", "x"]), inner)
    ),
    max_leaves=8,
)
