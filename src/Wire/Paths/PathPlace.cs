namespace Wire.Paths;

/// <summary>A value that a path leads to.</summary>
/// <param name="Part">The part of the program that has led to it.</param>
/// <param name="At">Its offset.</param>
/// <param name="Objects">The number of objects that begin in front of it.</param>
internal readonly record struct PathPlace(PathPart Part, int At, int Objects);
