"""Preview of the next two steps with a spring-loaded inverted pendulum (SLIP).

Source: Mordatch et al. 2010, sections 4 and 5. Numbers of equations, figures and tables in this
package refer to that paper.
"""
