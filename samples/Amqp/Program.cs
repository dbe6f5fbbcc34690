using Amqp;

FirstProgram.Run();
Version091.Run();
Version10.Run();
