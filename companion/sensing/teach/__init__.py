"""A board that nobody has described, learned from pictures: its spots, and what lies in them."""
