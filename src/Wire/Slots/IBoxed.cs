namespace Wire.Slots;

/// <summary>
/// A value serializer of structs that a program declares: a box of one may be changed through an interface, so that it is copied even where
/// the values in it cannot change.
/// </summary>
internal interface IBoxed;
