"""A spring-loaded inverted pendulum that previews the next two steps, in closed form (Mordatch et
al. 2010, sections 4 and 5).
"""
